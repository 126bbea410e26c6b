import { Badge, Box } from '@chakra-ui/react';

export type Option = {
  id: string;
  name: string;
  /** Shown behind the name, and searched as well. */
  about?: string;
  /** Inactive content is marked. */
  isActive?: boolean;
  disabled?: boolean;
};

export const OptionText = ({
  name,
  about,
  isActive = true,
  below = false,
}: Option & { below?: boolean | undefined }) => (
  <Box as="span" minWidth="0">
    {name} {!isActive && <Badge>Inactive</Badge>}
    {about && (
      <Box as="span" color="fg.muted" {...(below && { display: 'block', truncate: true })} dir="auto">
        {` ${about}`}
      </Box>
    )}
  </Box>
);
