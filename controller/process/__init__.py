"""What every command and service needs of the machine it runs on."""
