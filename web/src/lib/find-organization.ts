import { inParallel } from './in-parallel.ts';
import { Problem } from './problem.ts';

const ASKED_AT_ONCE = 4;

/**
 * The organization in which a call succeeds; the others are not asked any more. Undefined where each of them refused the
 * call. Rejects where none has it and a call failed, since it may be in that one.
 */
export async function findOrganization<T extends { id: number }>(
  organizations: readonly T[],
  call: (organization: number, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  let found: T | undefined;
  let failure: unknown;

  async function ask(organization: T) {
    try {
      await call(organization.id, either);
      found ??= organization;
      ended.abort();
    } catch (problem) {
      if (!isRefused(problem)) failure ??= problem;
    }
  }

  await inParallel(organizations, ASKED_AT_ONCE, ask, () => either.aborted);
  if (!found && failure !== undefined) throw failure;
  return found;
}

/** 403: the user is not a member any more, or their role lacks the right. */
const isRefused = (problem: unknown) =>
  problem instanceof Problem && [403, 404].includes(problem.status ?? 0);
