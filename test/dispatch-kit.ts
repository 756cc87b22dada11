import { dispatch } from "../src/faces/cli/dispatch.ts"

/** A command in this process, and what it wrote. */
export async function dispatched(
  words: readonly string[],
  place: {
    readonly directory: string
    readonly environment: Record<string, string>
    readonly now?: () => number
  },
): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = ""
  let stderr = ""
  const code = await dispatch(words, {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    ...place,
    isTerminal: false,
  })
  return { code, stdout, stderr }
}
