import * as z from 'zod/mini';
import { Mistake } from '../mistake.ts';
import type { Resolver } from '../template/resolver.ts';

export type ConfigurationSets = ReturnType<typeof readConfigurationSets>;

const Destination = z.object({
  EventDestination: z.object({
    Enabled: z.literal(true),
    EventBridgeDestination: z.object({ EventBusArn: z.string().check(z.endsWith(':event-bus/default')) }),
    MatchingEventTypes: z.array(z.string()),
  }),
});

/** The configuration sets of the template, and which events they publish to the default bus. */
export function readConfigurationSets({ resources, resolve }: Resolver) {
  const of = (type: string) => resources.filter(resource => resource.type === `AWS::SES::${type}`);
  const named = new Map(of('ConfigurationSet').map(({ id, properties }) => [id, String(properties.Name)]));
  const published = of('ConfigurationSetEventDestination').map(({ id, stack, properties }) => {
    const { Ref } = Object(properties.ConfigurationSetName);
    const parsed = Destination.safeParse(resolve(stack, properties));
    if (!parsed.success) throw new Mistake(`The local stack does not understand the destination ${id}.`);
    return { name: named.get(Ref), types: parsed.data.EventDestination.MatchingEventTypes };
  });
  return {
    has: (name: string) => [...named.values()].includes(name),
    publishes: (name: string, type: string) =>
      published.some(one => one.name === name && one.types.includes(type)),
  };
}
