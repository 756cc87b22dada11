import type { Command } from "./command.ts"

/** A command by what the overview says of it. The rest loads when it is called. */
export interface ListedCommand {
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}

/** In the order of the overview. */
export const commands: readonly ListedCommand[] = [
  listed("list", "List every agent in every known place, with its state", () => import("./commands/list.ts")),
  listed("check", "Check definitions, and say what is wrong where", () => import("./commands/check.ts")),
  listed(
    "show",
    "Show one agent: what each part is, where it comes from, what would be sent",
    () => import("./commands/show.ts"),
  ),
  listed(
    "explain",
    "Say what a run of an agent would have, who says so, and whom that overrules",
    () => import("./commands/explain.ts"),
  ),
  listed("new", "Write a first file of an agent", () => import("./commands/new.ts")),
  listed(
    "eject",
    "Copy a built-in agent into the project, to change it",
    () => import("./commands/eject.ts"),
  ),
  listed(
    "run",
    "Run an agent, show what it does, and print what it answers",
    () => import("./commands/run.ts"),
  ),
  listed(
    "trust",
    "Show what this project would gain, and trust it as it is now",
    () => import("./commands/trust.ts"),
  ),
  listed("route", "Say which agent a request would go to, and why", () => import("./commands/route.ts")),
  listed(
    "rules",
    "Explain what is checked: what, why, an example, what to do",
    () => import("./commands/rules.ts"),
  ),
  listed("schema", "Print the JSON Schema of a format, for editors", () => import("./commands/schema.ts")),
  listed("runs", "List runs, the newest first", () => import("./commands/runs.ts")),
  listed("log", "Print what happened in a run and in everything below it", () => import("./commands/log.ts")),
  listed("send", "Send a message to a run, for its next turn", () => import("./commands/send.ts")),
  listed("cancel", "Ask a run, and everything below it, to stop", () => import("./commands/cancel.ts")),
  listed(
    "approve",
    "Answer the calls that a run waits for a person with",
    () => import("./commands/approve.ts"),
  ),
  listed(
    "resume",
    "Go on with a run whose process died, or whose calls were approved",
    () => import("./commands/resume.ts"),
  ),
  listed(
    "models",
    "Show which models can be reached, and what each name stands for",
    () => import("./commands/models.ts"),
  ),
  listed(
    "tools",
    "Show the tools there are, and what other hosts call them",
    () => import("./commands/tools.ts"),
  ),
  listed(
    "config",
    "Show every setting as it holds, and where it comes from",
    () => import("./commands/config.ts"),
  ),
  listed(
    "doctor",
    "Look at everything cadre stands on, and say what is broken and what to do",
    () => import("./commands/doctor.ts"),
  ),
  listed("completion", "Print a completion script for a shell", async () => {
    const { completionCommand } = await import("./commands/completion.ts")
    return { command: completionCommand(() => Promise.all(commands.map((listed) => listed.load()))) }
  }),
]

function listed(
  name: string,
  summary: string,
  load: () => Promise<{ readonly command: Command }>,
): ListedCommand {
  return { name, summary, load: async () => (await load()).command }
}
