import { splitList } from "../../ground/keys.ts"
import { isMap, type Json } from "../../ground/message.ts"
import type { NoEffect } from "./fields/field.ts"
import { trimPrompt } from "./gobby-parts.ts"

const rules = "all hooks of the project apply to this agent, unless `lifecycle` names a hook set"
const skills = "the agent sees every skill that it may load. List the skills that it must have in `skills`"

/** Keys of Gobby that have no effect in cadre. */
export const gobbyEffects = {
  terminal: [{ why: "a run opens no terminal", severity: "info" }],
  provider: [
    {
      why: "cadre itself asks the model that `model` names. To have a program run the agent, use `executor` in a cadre file",
      severity: "info",
      when: (provider) => provider !== "inherit",
    },
  ],
  api_base: [
    {
      why: "requests go to the address of the provider. Set it below `providers` in the configuration",
      severity: "warning",
    },
  ],
  api_token: [
    {
      why: "provider keys come from the environment, or from `keys/` in the configuration folder",
      severity: "info",
    },
  ],
  reasoning_required: [{ why: "nothing checks whether the model can reason", severity: "info" }],
  base_branch: [
    {
      why: "a worktree starts from the commit that the caller works on",
      severity: "info",
      when: (branch) => branch !== "inherit",
    },
  ],
  branch_prefix: [{ why: "the branch of a worktree is `cadre/RUN`", severity: "info" }],
  sandbox: [
    {
      why: "only its tools and the rules of the run decide what this agent may do",
      severity: "warning",
      code: "restriction-kept",
      when: (sandbox) => isMap(sandbox) && sandbox.enabled === true,
    },
  ],
  skill_profile: [{ why: skills, severity: "info" }],
  surfaces: [
    {
      why: "other agents can still call it. Use `enabled: false` to hide it",
      severity: "warning",
      when: (surfaces) => !isListed(surfaces, "spawn"),
    },
  ],
  sources: [{ why: "an agent is not bound to a program", severity: "info" }],
  priority: [
    { why: "the place of its file decides which of two agents with the same name is used", severity: "info" },
  ],
  version: "informs",
  workflows: [
    { inner: "rule_selectors", why: rules, severity: "info" },
    // A map would be a workflow of that name.
    { inner: "rules", why: rules, severity: "info", when: (value) => !isMap(value) },
    {
      inner: "variable_selectors",
      why: "the agent has all variables that its file and its caller set",
      severity: "info",
    },
    { inner: "skill_selectors", why: skills, severity: "info" },
    { inner: "skill_format", why: "skills are loaded as they are written", severity: "info" },
    {
      inner: "pipeline",
      when: (value) => !isMap(value),
      why: "a pipeline is an agent of its own, in a cadre file",
      severity: "info",
    },
  ],
  skills: [
    {
      why: "skills by occasion are not loaded. Write a list of the skills that it must have",
      severity: "info",
      when: isMap,
    },
  ],
  prompts: [
    {
      inner: "persona",
      why: "the other instructions of this file take effect, even if a run activates the agent",
      severity: "info",
      when: (_, { prompts, role, goal, personality, instructions }) =>
        [isMap(prompts) ? prompts.agent : undefined, role, goal, personality, instructions].some(
          (text) => trimPrompt(text) !== undefined,
        ),
    },
  ],
} as const satisfies { readonly [key: string]: "informs" | readonly NoEffect[] }

const isListed = (list: Json, name: string): boolean => splitList(list as string | string[]).includes(name)
