import type { ToolEvidence, ToolOutput } from "../../agent/tool.ts"

/**
 * Runs the context providers of a tool in order, then the tool. The outputs of the providers stand before its own, each
 * on a line. A provider that fails is the result of the call: the tool does not run.
 */
export async function withContext(
  providers: readonly string[],
  runProvider: (script: string) => Promise<ToolOutput>,
  runTool: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  const before: ToolOutput[] = []
  for (const provider of providers) {
    const output = await runProvider(provider)
    if (output.isError) return withEvidence(output, before)
    before.push(output)
  }
  const output = await runTool()
  return withEvidence({ ...output, text: [...before, output].map(({ text }) => text).join("\n") }, before)
}

/** What the providers read and did is evidence of the call, too. */
function withEvidence(output: ToolOutput, before: readonly ToolOutput[]): ToolOutput {
  const all = [...before, output].flatMap(({ evidence }) => evidence ?? [])
  const of = <Key extends keyof ToolEvidence>(key: Key) => all.flatMap((evidence) => evidence[key] ?? [])
  if (all.length === 0) return output
  return {
    ...output,
    evidence: { read: of("read"), files: of("files"), commands: of("commands") } as ToolEvidence,
  }
}
