import type { Agent } from "../../../agent/agent.ts"
import type { DiagnosticRule } from "../rule.ts"
import { findSecrets } from "./secrets.ts"

export const secretInDefinition: DiagnosticRule = {
  code: "secret-in-definition",
  severity: "error",
  title: "A key or token in a definition",
  why: "Definitions are committed, copied and sent to models. Everyone who sees one has the secret.",
  fix: "Revoke the secret, then name an environment variable instead.",
  example: {
    file: ".claude/agents/deployer.md",
    // Built from parts, so that secret scanners do not report this file as a leak.
    text: `---\nname: deployer\ndescription: Deploys the site.\n---\n\nLog in with ${["gh", "p_"].join("")}R4nd0mK8vQ2zL7wYc3B9tHs5Xn1UeJ6mDfGa\n`,
  },
  check(subject) {
    const { agent, source } = subject
    for (const { kind, span, start } of findSecrets(source?.text ?? textOf(agent)))
      subject.report({
        message: `This looks like ${kind} (\`${start}…\`). Everyone who can read the file has it, and so does every model that it is sent to. Revoke it, and name an environment variable instead.`,
        at: source ? { type: "span", span } : { type: "start" },
      })
  },
}

/** The text that is searched where an agent is defined in code and has no file. */
const textOf = ({ origin: _, instructions, ...rest }: Agent): string =>
  `${instructions}\n${JSON.stringify(rest, null, 1)}`
