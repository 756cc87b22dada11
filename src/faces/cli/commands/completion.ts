import { type Command, defineCommand } from "../command.ts"
import { bashCompletion } from "../completion/bash.ts"
import { fishCompletion } from "../completion/fish.ts"
import { zshCompletion } from "../completion/zsh.ts"
import { exitCode } from "../exit-code.ts"
import { jsonText } from "../terminal/json-text.ts"

const scripts: Readonly<Record<"bash" | "zsh" | "fish", (commands: readonly Command[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** The command completes every command, also itself. The list of them passes in how to load them. */
export const completionCommand = (loadCommands: () => Promise<readonly Command[]>): Command =>
  defineCommand({
    name: "completion",
    summary: "Print a completion script for a shell",
    arguments: [{ name: "shell", doc: "The shell", choices: ["bash", "zsh", "fish"] }],
    options: { json: { type: "flag", doc: "Print JSON" } },
    examples: [
      { line: "source <(cadre completion bash)", doc: "Complete in this bash; the same works in zsh" },
      { line: "cadre completion bash >> ~/.bashrc", doc: "Complete in every bash from now on" },
      {
        line: "cadre completion fish > ~/.config/fish/completions/cadre.fish",
        doc: "Complete in every fish from now on",
      },
    ],
    async run({ arguments: { shell }, options, stdout }) {
      const script = scripts[shell](await loadCommands())
      stdout.write(options.json ? jsonText({ shell, script }) : script)
      return exitCode.fine
    },
  })
