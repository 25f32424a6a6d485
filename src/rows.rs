//! Every known row of the metric table: label, aliases, where its value comes from, how it is written and read back.
