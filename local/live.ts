import { type Deployment, deployTemplates, type Ground } from './deployment.ts';
import type { ViewerRequest } from './edge/viewer.ts';
import { type HttpAnswer, problem } from './gateway/response.ts';
import { describe, messageOf } from './mistake.ts';
import { readAssembly } from './template/assembly.ts';

export type Live = ReturnType<typeof createLive>;

/** The current deployment. An edit replaces it as a whole. */
export function createLive(activity: Ground['activity'], log: (line: string) => void) {
  let deployment: Deployment | undefined;
  let broken: string | undefined;
  let isHeld = false;
  const sources = () => deployment?.sources ?? [];
  const wake = (kind: 'queues' | 'streams') => {
    for (const source of deployment?.[kind] ?? []) source.wake();
  };

  return {
    deployment: () => deployment,
    async answer(request: ViewerRequest): Promise<HttpAnswer> {
      if (!deployment) return problem(503, 'The local stack is starting.');
      return broken ? problem(500, broken) : deployment.edge.answer(request);
    },
    /**
     * Deploys the assembly that `make` returns, in place of the previous deployment. If that fails, the previous one stays; if
     * there is none, it throws.
     */
    async deploy(make: () => Promise<string>, ground: Ground) {
      try {
        const next = await deployTemplates(readAssembly(await make()), ground);
        deployment?.retire();
        if (deployment) log(`Deployed anew at ${new Date().toLocaleTimeString()}`);
        broken = undefined;
        deployment = next;
        return next;
      } catch (error) {
        if (!deployment) throw error;
        broken = messageOf(error);
        log(describe(error));
        return deployment;
      }
    },
    wake,
    /** Must be called after a write to the table. */
    written() {
      if (!isHeld) wake('streams');
    },
    /** Lets the streams read what `work` writes only afterwards, in one batch, as Lambda does with a batching window. */
    async inOneBatch<T>(work: () => Promise<T>) {
      isHeld = true;
      try {
        return await work();
      } finally {
        isHeld = false;
        wake('streams');
      }
    },
    /** Resolves when no work is in progress, and none is left to do at the present simulated time. */
    async drain() {
      while (activity.busy() || sources().some(source => source.busy())) {
        await Promise.all(sources().map(source => source.settle()));
        await activity.idle();
      }
    },
    close: () => deployment?.close(),
  };
}
