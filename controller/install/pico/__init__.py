"""`cutcard pico`: a microcontroller gets its firmware and the wiring of its board."""
