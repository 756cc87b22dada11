import { defineTool, type Tool } from "../../agent/tool.ts"
import type { Skill } from "../../definitions/skills/skills.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

/** The most characters of the list of skills, which every request repeats. */
const longestList = 8_000

/**
 * Loads a skill's text when the model needs it: before that, only names and descriptions are in the prompt.
 */
export function createSkillTool(skills: ReadonlyMap<string, Skill>): Tool {
  return defineTool<{ skill: string }>({
    name: "Skill",
    description: `Load the instructions of a skill before you do work that it covers.\nSkills:\n${listSkills(skills)}`,
    effect: "read",
    input: {
      type: "object",
      properties: {
        skill: { type: "string", enum: [...skills.keys()].sort(), description: "The skill's name." },
      },
      required: ["skill"],
      additionalProperties: false,
    },
    // A rule about the target of a link applies to the link.
    accesses: ({ skill }) => [{ type: "read", path: withoutLinks(skills.get(skill)!.file) }],
    async execute({ skill }) {
      const { readSkillText } = await import("../../definitions/skills/skills.ts")
      const entry = skills.get(skill)!
      const reading = readSkillText(entry)
      if ("problem" in reading)
        return { text: `The skill ${skill} cannot be read: ${reading.problem}`, isError: true }
      return `The skill ${skill}, from ${entry.file}. Paths in it are relative to that file.\n\n${reading.text}`
    },
  })
}

function listSkills(skills: ReadonlyMap<string, Skill>): string {
  const lines = [...skills.values()]
    .map(
      ({ name, description }) =>
        `- ${name}: ${description.replace(/\s+/g, " ").trim() || "(no description)"}`,
    )
    .sort()
  const text = lines.join("\n")
  if (text.length <= longestList) return text
  const share = Math.max(20, Math.floor(longestList / lines.length))
  return lines
    .map((line) => (line.length > share ? `${line.slice(0, share - 1).toWellFormed()}…` : line))
    .join("\n")
}
