"""Tables, figures and studies of the paper that can be reproduced by their id."""
