import { Stack } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import { TextLink } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { obstaclesOf } from '#web/entities/automation/obstacles.ts';

/** Why an automation sends nothing, each reason with a link to fix it. */
export function ObstacleNotices({ automation }: { automation: Automation }) {
  const obstacles = obstaclesOf(automation);
  if (obstacles.length === 0) return null;
  return (
    <Stack gap="2" mb="6">
      {obstacles.map(({ text, mend }) => (
        <Notice
          key={text}
          tone={mend && automation.active ? 'warning' : 'info'}
          action={mend && <TextLink to={mend.to}>{mend.label}</TextLink>}
        >
          {text}
        </Notice>
      ))}
    </Stack>
  );
}
