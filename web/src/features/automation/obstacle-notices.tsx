import { Stack } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { TextLink } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { MAILS_EXISTING } from '#web/entities/automation/automation.tsx';
import type { Obstacle } from '#web/entities/automation/obstacles.ts';
import { useMay } from '#web/lib/organization.ts';

type Props = { obstacles: Obstacle[]; isActive: boolean; about?: ReactNode[] };

export const MailsExisting = () => <Notice tone="info">{MAILS_EXISTING}</Notice>;

/** Why nothing is sent; `about` are other notices, above. Renders nothing without any. */
export function ObstacleNotices({ obstacles, isActive, about = [] }: Props) {
  const may = useMay();
  if (obstacles.length + about.length === 0) return null;
  return (
    <Stack gap="2" mb="6">
      {about}
      {obstacles.map(({ text, mend, isWrong }) => (
        <Notice
          key={text}
          tone={isWrong || (mend && isActive) ? 'warning' : 'info'}
          action={mend && may(mend.right) && <TextLink to={mend.to}>{mend.label}</TextLink>}
        >
          {text}
        </Notice>
      ))}
    </Stack>
  );
}
