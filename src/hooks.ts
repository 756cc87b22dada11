export type { HookSet } from "./definitions/lifecycle/hook-set.ts"
export type { ExplainedHook } from "./run/explain/explain-hooks.ts"
export type { CallVerdict, HookSpawn, MomentName } from "./run/log/event.ts"
export type { AfterVerdict, Hook, HookSource, WrittenHook } from "./run/ports/hook.ts"
export type {
  CommandOptions,
  CommandOutcome,
  FinishedCall,
  HookActions,
  HookCall,
  HookRun,
  HookVerdict,
} from "./run/ports/hooked.ts"
export type {
  HookMoment,
  LimitWarning,
  MomentQuestions,
  MomentSpawn,
  MomentVerdict,
} from "./run/ports/hooked-moment.ts"
