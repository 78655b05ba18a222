"""The table's service: bridge, engine, screens and MQTT, wired together."""
