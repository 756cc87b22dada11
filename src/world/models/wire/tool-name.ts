/**
 * A tool's name in the characters that providers accept, also where no tool has the name that the model wrote. Gemini
 * refuses a name that begins with a digit or a dash.
 */
export const usableName = (name: string): string =>
  name === ""
    ? "unknown"
    : name
        .replaceAll(/[^\w-]/g, "_")
        .replace(/^(?=[\d-])/, "_")
        .slice(0, 128)

/** The same in the length that OpenAI's protocols accept. */
export const shortName = (name: string): string => usableName(name).slice(0, 64)
