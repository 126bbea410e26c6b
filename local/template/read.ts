import type * as z from 'zod/mini';
import { Mistake } from '../mistake.ts';
import { IGNORED, isKind, KINDS, type Kind, type Properties } from './kinds.ts';
import type { Resolver, Resource } from './resolver.ts';

export type Read<K extends Kind> = { resource: Resource; properties: Properties<K> };

/** Fails if the template has a resource that would have to run, but cannot run here. */
export function refuseUnknown(resources: Resource[]): void {
  for (const { type, id, stack } of resources) {
    if (isKind(type) || IGNORED.test(type)) continue;
    throw new Mistake(`The local stack cannot run ${type} (${id} in ${stack.name}).`);
  }
}

export function read<K extends Kind>({ resolve }: Resolver, kind: K, resource: Resource): Properties<K> {
  const parsed = (KINDS[kind].shape as z.ZodMiniType).safeParse(
    resolve(resource.stack, relevant(kind, resource.properties)),
  );
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

function relevant(kind: Kind, properties: Resource['properties']): Resource['properties'] {
  const { shape, ignored } = KINDS[kind];
  if (ignored === 'others') {
    return Object.fromEntries(Object.entries(properties).filter(([name]) => name in shape.shape));
  }
  const rest = structuredClone(properties);
  for (const path of ignored) remove(rest, path.split('.'));
  return rest;
}

function remove(properties: Record<string, unknown>, [first = '', ...rest]: string[]): void {
  if (rest.length === 0) delete properties[first];
  else if (properties[first]) remove(properties[first] as Record<string, unknown>, rest);
}
