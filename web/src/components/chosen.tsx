import { Badge } from '@chakra-ui/react';
import { formatNumber } from '../lib/format.ts';

const MOST = 3;

type Props = { of: readonly { id: string; name: string }[] };

/** The names of the first three chosen options, and the number of the others. */
export const Chosen = ({ of }: Props) => (
  <>
    {of.slice(0, MOST).map(({ id, name }) => (
      <Badge key={id} whiteSpace="normal" overflowWrap="anywhere" minWidth="0">
        {name}
      </Badge>
    ))}
    {of.length > MOST && <span>+ {formatNumber(of.length - MOST)} more</span>}
  </>
);
