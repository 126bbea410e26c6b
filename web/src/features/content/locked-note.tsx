import { Box } from '@chakra-ui/react';
import { Notice } from '#web/components/notice.tsx';

const KINDS = {
  template: {
    many: 'Templates',
    one: 'template',
    changes: 'the name, the active status and the linked automations',
  },
  asset: { many: 'Email assets', one: 'asset', changes: 'the active status and the linked automations' },
};
type Kind = keyof typeof KINDS;

/** Beside the button that creates content. */
export const lockedText = (kind: Kind) =>
  `${KINDS[kind].many} cannot be edited after creation: Edit wording makes a new version.`;

/** The note that content is final, where it is shown. */
export function LockedNote({ kind }: { kind: Kind }) {
  const { many, one, changes } = KINDS[kind];
  return (
    <Notice tone="info" mb="4">
      <Box fontWeight="semibold">Important Note</Box>
      <Box>
        {many} cannot be edited after creation, so that reporting stays accurate. Only {changes} can be
        changed. To change the wording, use Edit wording, which makes a new version. To change anything else,
        duplicate the {one}.
      </Box>
    </Notice>
  );
}
