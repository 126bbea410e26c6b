import { Badge } from '@chakra-ui/react';
import { formatNumber } from '../lib/format.ts';

const MOST = 3;

type Props = { options: readonly { id: string; name: string }[] };

/** The names of the first three selected options, and the number of the others. */
export const SelectedBadges = ({ options }: Props) => (
  <>
    {options.slice(0, MOST).map(({ id, name }) => (
      <Badge key={id} whiteSpace="normal" overflowWrap="anywhere" minWidth="0">
        {name}
      </Badge>
    ))}
    {options.length > MOST && <span>+ {formatNumber(options.length - MOST)} more</span>}
  </>
);
