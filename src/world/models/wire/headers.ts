/** Headers of an answer, as undici gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** The value of a header: the first of several, or an empty text if there is none. */
export const getFirstValue = (value: string | readonly string[] | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : (value[0] ?? "")
