/** A seed for a new game. */
export function anySeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
