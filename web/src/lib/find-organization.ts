import { inParallel } from './in-parallel.ts';
import { Problem } from './problem.ts';

const ASKED_AT_ONCE = 4;

/**
 * The organization in which a request succeeds; then no others are tried. Undefined if each of them refuses the request.
 * Rejects if none has the item but a request has failed, since that organization may have it.
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

/** 403 means that the user is not a member any more, or that their role lacks the right. */
const isRefused = (problem: unknown) =>
  problem instanceof Problem && [403, 404].includes(problem.status ?? 0);
