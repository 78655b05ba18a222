"""What crosses: observations in, events and the table's view out, messages over MQTT."""
