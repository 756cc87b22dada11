import { type CliCommand, defineCommand } from "../command.ts"
import { writeBashCompletion } from "../completion/bash.ts"
import { writeFishCompletion } from "../completion/fish.ts"
import { writeZshCompletion } from "../completion/zsh.ts"
import { exitCode } from "../exit-code.ts"
import { writeJsonText } from "../terminal/json-text.ts"

const scripts: Readonly<Record<"bash" | "zsh" | "fish", (commands: readonly CliCommand[]) => string>> = {
  bash: writeBashCompletion,
  zsh: writeZshCompletion,
  fish: writeFishCompletion,
}

/** Builds the command. The list of commands passes in the loader, because the scripts complete every command. */
export const createCompletionCommand = (loadCommands: () => Promise<readonly CliCommand[]>): CliCommand =>
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
      stdout.write(options.json ? writeJsonText({ shell, script }) : script)
      return exitCode.fine
    },
  })
