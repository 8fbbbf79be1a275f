"""What is legal and what it costs: rulesets as data, checks on them, exact hand evaluation."""
