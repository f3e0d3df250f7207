"""One folder per paper: experiments, statements, tables, figures, expected verdicts, references."""
