/** To the last value. Not imported: with `node:util` comes much that nobody asked for. */
export const isSame = (left: unknown, right: unknown): boolean =>
  process.getBuiltinModule("node:util").isDeepStrictEqual(left, right)
