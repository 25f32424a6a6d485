//! Colours for light and dark, and the style sheet made of them.

/// Colours of one mode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    pub background: &'static str,
    pub border: &'static str,
    pub text: &'static str,
    pub muted: &'static str,
    pub grid: &'static str,
    /// p50, p95, p99.
    pub quantiles: [&'static str; 3],
    pub throughput: &'static str,
    /// CPU of the database, of the containers.
    pub cpu: [&'static str; 2],
    /// Causes of failures in the order drawn; the last is for all further ones.
    pub causes: [&'static str; CAUSES],
    /// Opacity of the shade behind a burst.
    pub shade: f64,
}

/// Causes of failures with a colour of their own, the pooled rest included.
pub(super) const CAUSES: usize = 6;

pub(super) const LIGHT: Theme = Theme {
    background: "#ffffff",
    border: "#d0d7de",
    text: "#1f2328",
    muted: "#59636e",
    grid: "#e3e7eb",
    quantiles: ["#0550ae", "#9a6700", "#b3123a"],
    throughput: "#116329",
    cpu: ["#6639ba", "#176b74"],
    causes: ["#cf222e", "#8250df", "#bc4c00", "#0969da", "#1b7c83", "#6e7781"],
    shade: 0.12,
};

pub(super) const DARK: Theme = Theme {
    background: "#0d1117",
    border: "#3d444d",
    text: "#e6edf3",
    muted: "#9ca5af",
    grid: "#262c36",
    quantiles: ["#79c0ff", "#e3b341", "#ff8a80"],
    throughput: "#56d364",
    cpu: ["#d2a8ff", "#39c5cf"],
    causes: ["#ff7b72", "#d2a8ff", "#ffa657", "#79c0ff", "#39c5cf", "#b1bac4"],
    shade: 0.2,
};

/// Widths of the lines of p50, p95 and p99: they differ without their colours too.
const WIDTHS: [f64; 3] = [1.8, 1.2, 0.9];
/// The same on a narrow screen, which shows a picture at about half its size: half a pixel of line can hardly be seen.
const NARROW_WIDTHS: [f64; 3] = [3.0, 2.0, 1.6];
/// Up to this many pixels of width the larger texts are shown: more than a phone has, less than the text of a page.
const NARROW: u32 = 560;

/// The style sheet of a picture: no font and no picture is loaded from anywhere.
pub(super) fn style() -> String {
    let fixed = "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;\
        paint-order:stroke;stroke-width:3px;stroke-linejoin:round;font-variant-numeric:tabular-nums}\
        path,rect{stroke-linejoin:round;stroke-linecap:round}\
        .q0,.q1,.q2,.i,.u0,.u1,.g{fill:none}.n text{stroke-width:6px}.g{stroke-width:1}.i{stroke-width:1.2}\
        .u0{stroke-width:1.8}.u1{stroke-width:1.6;stroke-dasharray:4 2.5;stroke-linecap:butt}.n{display:none}";
    let widths = |of: [f64; 3]| -> String {
        of.iter().enumerate().map(|(i, width)| format!(".q{i}{{stroke-width:{width}}}")).collect()
    };
    // after the widths of lines: a second that stands alone has no length to be seen by, and a band is no line
    let dots = ".d{stroke-width:4}.a{stroke-width:.6;stroke-opacity:.5;fill-opacity:.2}";
    let sizes = "\
        .w .h{font-size:17px}.w .b{font-size:13px}.w .t,.w .m{font-size:12px}\
        .n .h{font-size:26px}.n .b{font-size:23px}.n .t,.n .m{font-size:22px}.h,.b{font-weight:600}";
    let narrow = format!(
        "@media (max-width:{NARROW}px){{.w{{display:none}}.n{{display:inline}}{}.i{{stroke-width:2}}\
         .u0{{stroke-width:3.2}}.u1{{stroke-width:2.8;stroke-dasharray:7 4}}.d{{stroke-width:7}}.a{{stroke-width:1}}}}",
        widths(NARROW_WIDTHS)
    );
    let dark = format!("@media (prefers-color-scheme:dark){{{}}}", colours(&DARK));
    format!("{fixed}{}{dots}{sizes}{}{narrow}{dark}", widths(WIDTHS), colours(&LIGHT))
}

fn colours(theme: &Theme) -> String {
    let Theme {
        background,
        border,
        text,
        muted,
        grid,
        quantiles,
        throughput,
        cpu: [database, containers],
        causes,
        shade,
    } = theme;
    let quantiles: String = quantiles
        .iter()
        .enumerate()
        .map(|(i, colour)| format!(".q{i}{{stroke:{colour}}}.q{i}.a{{fill:{colour}}}"))
        .collect();
    let causes: String = causes
        .iter()
        .enumerate()
        .map(|(i, colour)| format!(".f{i}{{fill:{colour}}}.s{i}{{fill:{colour};fill-opacity:{shade}}}"))
        .collect();
    format!(
        ".bg{{fill:{background};stroke:{border}}}text{{fill:{text};stroke:{background}}}.m{{fill:{muted}}}\
         .g{{stroke:{grid}}}.i{{stroke:{throughput}}}.i.a{{fill:{throughput}}}.u0{{stroke:{database}}}.u1{{stroke:{containers}}}{quantiles}{causes}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(colour: &str) -> [f64; 3] {
        let at = |i: usize| f64::from(u8::from_str_radix(&colour[1 + 2 * i..3 + 2 * i], 16).unwrap()) / 255.0;
        [at(0), at(1), at(2)]
    }

    /// Relative luminance after WCAG 2.2.
    fn luminance([r, g, b]: [f64; 3]) -> f64 {
        let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn contrast_is_computed_as_wcag_does() {
        assert!((contrast([0.0; 3], [1.0; 3]) - 21.0).abs() < 1e-9);
        // the grey that is known as the lightest one readable on white
        assert!((contrast(channels("#767676"), [1.0; 3]) - 4.54).abs() < 0.01);
    }

    #[test]
    fn texts_can_be_read_in_both_modes_also_on_shaded_bursts() {
        for theme in [LIGHT, DARK] {
            let ground = channels(theme.background);
            let shaded = theme.causes.iter().map(|cause| {
                let cause = channels(cause);
                [0, 1, 2].map(|i| ground[i] * (1.0 - theme.shade) + cause[i] * theme.shade)
            });
            for ground in shaded.chain([ground]) {
                for text in [theme.text, theme.muted] {
                    let found = contrast(channels(text), ground);
                    assert!(found >= 4.5, "{text} on {ground:?}: {found:.2}");
                }
            }
        }
    }

    #[test]
    fn lines_and_bars_stand_out_from_the_background() {
        for theme in [LIGHT, DARK] {
            for colour in theme.quantiles.iter().chain(&theme.causes).chain([&theme.throughput]).chain(&theme.cpu) {
                let found = contrast(channels(colour), channels(theme.background));
                assert!(found >= 4.5, "{colour}: {found:.2}");
            }
        }
    }

    #[test]
    fn the_style_sheet_loads_nothing() {
        assert!(!style().contains("url(") && !style().contains("@import") && !style().contains("http"));
    }
}
