import { configurationSchema } from "../../configuration/schema.ts"
import { knownNames } from "../../errors.ts"
import { formats } from "../../formats/index.ts"
import { formatSchema } from "../../formats/schema.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { jsonText } from "../json-text.ts"
import { UsageError } from "../usage-error.ts"

export const command = defineCommand({
  name: "schema",
  summary: "Print the JSON Schema of a format, for editors",
  arguments: [{ name: "format", doc: "A format, or `config` for .cadre/config.yaml" }],
  options: { json: { type: "flag", doc: "Print JSON, which it always does" } },
  examples: [
    { line: "cadre schema claude > claude-agent.schema.json", doc: "Save it for an editor's settings" },
    { line: "cadre schema config", doc: "The schema of the configuration" },
  ],
  async run({ arguments: { format: id }, stdout }) {
    const format = formats.find((candidate) => candidate.id === id)
    if (!format && id !== "config")
      throw new UsageError(
        `There is no format ${JSON.stringify(id)}. ${knownNames(id, [...formats.map(({ id }) => id), "config"])}`,
      )
    stdout.write(jsonText(format ? formatSchema(format) : configurationSchema()))
    return exitCode.fine
  },
})
