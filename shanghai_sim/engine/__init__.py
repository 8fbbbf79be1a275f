"""The state machine: moves the cards, holds the state, builds what a seat may see."""
