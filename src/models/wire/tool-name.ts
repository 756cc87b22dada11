/** A tool's name in the characters that providers accept, also where no tool has the name that the model wrote. */
export const usableName = (name: string): string =>
  name === "" ? "unknown" : name.replaceAll(/[^\w-]/g, "_").slice(0, 128)

/** The same in the length that OpenAI's protocols accept. */
export const shortName = (name: string): string => usableName(name).slice(0, 64)
