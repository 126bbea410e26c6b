import { type EmailList, publicNameOf } from '#shared/list.ts';
import { needsKey, providersOf, titleOf } from '#shared/providers.ts';
import { UNSUBSCRIBE_WORDS } from '#shared/unsubscribe-words.ts';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Mark } from '#web/components/mark.tsx';
import { Panel } from '#web/components/panel.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatDate } from '#web/lib/format.ts';
import { DomainStatus, KeyStatus, lastTested, REGION_NAMES, warmUpText } from './list-status.tsx';

const languageOf = (text: string) =>
  UNSUBSCRIBE_WORDS.find(({ word }) => word === text)?.language ?? 'another language';

function useZoneText(list: EmailList | undefined): string | undefined {
  const { data, error } = useOrganizationData(
    list?.time_zone === null ? 'GET /api/sending-hours' : undefined,
  );
  if (list?.time_zone || error) return list?.time_zone ?? 'Same as the organization';
  return data && `Same as the organization (${data.time_zone})`;
}

export default function ListFacts({ list }: { list: EmailList | undefined }) {
  const zone = useZoneText(list);
  return (
    <Panel px="4" py="3" containerType="inline-size">
      <Facts orientation="vertical">
        <Fact name="Status">{list && <ActiveStatus active={list.active} />}</Fact>
        <Fact name="Public name">{list && publicNameOf(list)}</Fact>
        <Fact name="Domain">{list?.domain}</Fact>
        <Fact name="Sender" minHeight="40px">
          {list && (
            <>
              {list.sender_name}
              <br />
              {list.sender_address}
            </>
          )}
        </Fact>
        <Fact name="Provider">{list && providersOf(list).map(titleOf).join(', then ')}</Fact>
        {list && !providersOf(list).every(needsKey) && (
          <Fact name="Domain at Amazon SES">
            <DomainStatus list={list} />
          </Fact>
        )}
        {(!list || providersOf(list).some(needsKey)) && (
          <>
            <Fact name="Sending key">{list && <KeyStatus list={list} />}</Fact>
            <Fact name="Last tested">{list && lastTested(list)}</Fact>
            <Fact name="Region">{list && REGION_NAMES[list.mailgun_region]}</Fact>
          </>
        )}
        <Fact name="Warm-up" minHeight={list?.warm_up_progress ? '40px' : undefined}>
          {list && (list.warm_up_progress ? warmUpText(list.warm_up_progress) : 'Off')}
        </Fact>
        <Fact name="Reply-to">{list && (list.reply_to ?? 'The sender')}</Fact>
        <Fact name="Unsubscribe text">
          {list && `${list.unsubscribe_text} (${languageOf(list.unsubscribe_text)})`}
        </Fact>
        <Fact name="Time zone" minHeight="40px">
          {zone}
        </Fact>
        <Fact name="Created">{list && formatDate(list.created_at)}</Fact>
        <Fact name="Logo" minHeight="32px">
          {list && (list.logo ? <Mark of={list} /> : 'None')}
        </Fact>
      </Facts>
    </Panel>
  );
}
