import { Text } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { MOST_LINKED } from '#shared/automation-link.ts';
import { PickMany } from '#web/components/pick-many.tsx';
import { SHARES_COUNTS } from '#web/entities/content/content.ts';
import { type AutomationsRoute, useAutomationChoice } from '#web/lib/automation-choice.ts';

type ListProps = ComponentProps<typeof PickMany>;
type Props = Pick<ListProps, 'label' | 'hasHeading' | 'ref' | 'value' | 'onChange' | 'disabled' | 'error'> & {
  route: AutomationsRoute;
  most?: number | undefined;
};

export function AutomationPicker({ route, error, most = MOST_LINKED, ...rest }: Props) {
  const {
    data,
    error: problem,
    mutate,
  } = useAutomationChoice(
    route,
    ({ id, status }) => status === 'draft' || status === 'scheduled' || rest.value.includes(id),
  );
  const isShared = route === 'GET /api/automations-for-templates' && rest.value.length > 1;
  return (
    <>
      <PickMany
        {...rest}
        options={data}
        error={rest.value.length > most ? `At most ${most} automations can be linked` : error}
        noun="automation"
        problem={problem}
        failure="Failed to load automations. Please try again."
        onRetry={mutate}
      />
      {isShared && (
        <Text mt="1" mb="2" fontSize="xs" color="fg.muted">
          {SHARES_COUNTS}
        </Text>
      )}
    </>
  );
}
