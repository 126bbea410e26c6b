import type * as z from 'zod/mini';
import { Mistake } from '../mistake.ts';
import { isKind, KINDS, type Kind, MOOT, type Properties } from './kinds.ts';
import type { Resolver, Resource } from './resolver.ts';

export type Read<K extends Kind> = { resource: Resource; properties: Properties<K> };

/** A resource that would have to run, but which nothing here can run, is said at the start. */
export function refuseUnknown(resources: Resource[]): void {
  for (const { type, id, stack } of resources) {
    if (isKind(type) || MOOT.test(type)) continue;
    throw new Mistake(`The local stack cannot run ${type} (${id} in ${stack.name}).`);
  }
}

/** The resolved properties of a resource: one that is not known is an error rather than silence. */
export function read<K extends Kind>({ resolve }: Resolver, kind: K, resource: Resource): Properties<K> {
  const { shape, moot } = KINDS[kind];
  const relevant = structuredClone(resource.properties);
  for (const path of moot) remove(relevant, path.split('.'));
  const parsed = (shape as z.ZodMiniType).safeParse(resolve(resource.stack, relevant));
  if (parsed.success) return parsed.data as Properties<K>;
  const issues = parsed.error.issues.map(({ path, message }) =>
    `${path.join('.')}: ${message}`.replace(/^: /, ''),
  );
  throw new Mistake(
    `The local stack does not understand ${resource.id} (${kind} in ${resource.stack.name}): ${issues.join('; ')}`,
  );
}

export const readAll = <K extends Kind>(resolver: Resolver, kind: K): Read<K>[] =>
  resolver.resources
    .filter(({ type }) => type === kind)
    .map(resource => ({ resource, properties: read(resolver, kind, resource) }));

function remove(properties: Record<string, unknown>, [first, ...rest]: string[]): void {
  if (first === undefined) return;
  if (rest.length === 0) delete properties[first];
  else if (properties[first]) remove(properties[first] as Record<string, unknown>, rest);
}
