import { Skeleton } from '@chakra-ui/react';
import { useController, useWatch } from 'react-hook-form';
import type { Audience } from '#shared/audience.ts';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import type { Settings } from './automation-settings.ts';
import { Group, Legend } from './card.tsx';

export const Conditions = onDemand(
  () => import('#web/entities/audience/conditions.tsx'),
  <Skeleton height="80px" />,
);

const CHECKED =
  'Checked before each email: who does not match any more gets no further one, so a condition also ends an automation for a member.';

/** Chooses which members of the lists get the emails. */
export function AudienceField({ lists }: { lists: readonly string[] }) {
  const { field, fieldState, formState } = useController<Settings, 'audience'>({ name: 'audience' });
  const zoneOf = useWatch<Settings, 'time_zone_of'>({ name: 'time_zone_of' });
  return (
    <Group mt="4">
      <Legend>
        <WithHelpTip word="Who gets it">{CHECKED}</WithHelpTip>
      </Legend>
      <Conditions
        lists={lists}
        initial={(formState.defaultValues?.audience ?? null) as Audience | null}
        zoneOf={zoneOf ?? 'organization'}
        onChange={field.onChange}
        focusRef={field.ref}
        isRefused={fieldState.invalid}
        error={fieldState.error?.message}
      />
    </Group>
  );
}
