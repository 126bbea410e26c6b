import { chakra, Skeleton } from '@chakra-ui/react';
import type { EmailList } from '../../../../shared/list.ts';
import { UNSUBSCRIBE_WORDS } from '../../../../shared/unsubscribe-words.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Status } from '../../components/status.tsx';
import { formatDate, formatNumber } from '../../lib/format.ts';
import { KeyStatus, lastTested } from './sending-key/connection.tsx';
import { REGION_NAMES } from './sending-key/regions.ts';

const Counts = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, 1fr)',
    borderBottomWidth: '1px',
    borderColor: 'border',
    '& > div': { px: '4', py: '3', '& + &': { borderLeftWidth: '1px', borderColor: 'border' } },
    '& dt': { fontSize: 'xs', color: 'fg.muted' },
    '& dd': {
      fontSize: 'xl',
      lineHeight: '28px',
      fontWeight: 'semibold',
      fontVariantNumeric: 'tabular-nums',
    },
  },
});
const Details = chakra('div', {
  base: {
    display: 'flex',
    gap: '5',
    alignItems: 'flex-start',
    p: '4',
    '& dl': {
      flex: 1,
      fontSize: 'sm',
      gridTemplateColumns: { xl: 'max-content minmax(0, 5fr) max-content minmax(0, 3fr)' },
    },
  },
});

const COUNTS = {
  total_members: 'Total',
  subscribed_members: 'Subscribed',
  unsubscribed_members: 'Unsubscribed',
} as const;
const counted = Object.entries(COUNTS) as [keyof typeof COUNTS, string][];

const languageOf = (text: string) =>
  UNSUBSCRIBE_WORDS.find(({ word }) => word === text)?.language ?? 'another language';

/** Counts and settings of a list, with placeholders while it is loading. */
export function ListFacts({ list }: { list: EmailList | undefined }) {
  return (
    <Panel>
      <Counts aria-label="Members">
        {counted.map(([count, name]) => (
          <div key={count}>
            <dt>{name}</dt>
            <dd>{list ? formatNumber(list[count]) : <Skeleton as="span" width="48px" />}</dd>
          </div>
        ))}
      </Counts>
      <Details>
        {list?.logo && <Mark of={list} size="large" />}
        <Facts>
          <Fact name="Status">
            {list && (
              <Status tone={list.active ? 'usual' : 'off'}>{list.active ? 'Active' : 'Inactive'}</Status>
            )}
          </Fact>
          <Fact name="Domain">{list?.domain}</Fact>
          <Fact name="Sender">{list && `${list.sender_name} <${list.sender_address}>`}</Fact>
          <Fact name="Created">{list && formatDate(list.created_at)}</Fact>
          <Fact name="Sending key">{list && <KeyStatus list={list} />}</Fact>
          <Fact name="Unsubscribe text">
            {list && `${list.unsubscribe_text} (${languageOf(list.unsubscribe_text)})`}
          </Fact>
          <Fact name="Region">{list && REGION_NAMES[list.mailgun_region]}</Fact>
          <Fact name="Last tested">{list && lastTested(list)}</Fact>
        </Facts>
      </Details>
    </Panel>
  );
}
