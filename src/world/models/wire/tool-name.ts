/**
 * Rewrites a tool's name in the characters that providers accept, even if no tool has the name. Gemini refuses a name
 * that begins with a digit or a dash.
 */
export const toUsableName = (name: string): string =>
  name === ""
    ? "unknown"
    : name
        .replaceAll(/[^\w-]/g, "_")
        .replace(/^(?=[\d-])/, "_")
        .slice(0, 128)

/** The usable name, cut to the length that OpenAI's protocols accept. */
export const toShortName = (name: string): string => toUsableName(name).slice(0, 64)
