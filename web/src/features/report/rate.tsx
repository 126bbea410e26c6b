import { Box } from '@chakra-ui/react';
import { intervalOf } from './numbers.ts';

type Props = { rate: string; count: number; sent: number };

/** A rate with its confidence interval below. */
export const Rate = ({ rate, count, sent }: Props) => {
  const interval = intervalOf(count, sent);
  return (
    <div>
      {rate}
      {interval && (
        <Box color="fg.muted" fontSize="xs" lineHeight="18px" whiteSpace="nowrap">
          {interval}
        </Box>
      )}
    </div>
  );
};
