/** Deep equality. `node:util` is not imported, because the import would load much more than this function. */
export const isSame = (left: unknown, right: unknown): boolean =>
  process.getBuiltinModule("node:util").isDeepStrictEqual(left, right)
