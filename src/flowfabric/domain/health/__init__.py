"""What is wrong with a database and its workers: the facts that were collected, and the rules that judge them."""
