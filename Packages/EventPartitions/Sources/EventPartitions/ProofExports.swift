// Proofs, seals and keys are a part of this module's own API; who imports it can check what it gets.
@_exported public import EventProofs
