/** Replaces secret values in a text of a foreign server, which may repeat what it was sent. */
export const withoutValues = (text: string, values: readonly string[]): string =>
  values.reduce((clean, value) => (value === "" ? clean : clean.replaceAll(value, "[redacted]")), text)
