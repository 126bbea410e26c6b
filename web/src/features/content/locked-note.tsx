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

type Props = {
  kind: keyof typeof KINDS;
  /** Shown as a warning before the content is created. */
  isNew?: boolean;
};

/** The note that content is final. All places use this text. */
export function LockedNote({ kind, isNew = false }: Props) {
  const { many, one, changes } = KINDS[kind];
  return (
    <Notice tone={isNew ? 'error' : 'info'} mb="4">
      <Box fontWeight="semibold">Important Note</Box>
      <Box>
        {many} cannot be edited after creation, so that reporting stays accurate. Only {changes} can be
        changed. To change the wording, use Edit wording, which makes a new version. To change anything else,
        duplicate the {one}.
      </Box>
    </Notice>
  );
}
