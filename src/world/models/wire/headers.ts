/** Headers of an answer, as undici gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** The value of a header; of several the first, and of none an empty text. */
export const one = (value: string | readonly string[] | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : (value[0] ?? "")
