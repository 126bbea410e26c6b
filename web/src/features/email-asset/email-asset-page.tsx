import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { AutomationOption } from '#shared/automation-link.ts';
import { PARTS } from '#shared/email/content.ts';
import type { EmailAsset } from '#shared/email-asset.ts';
import { Button } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { EmailAndMore } from '#web/entities/email/email-preview.tsx';
import { LinkedAutomations } from '#web/entities/email/linked-automations.tsx';
import { LockedNote } from '#web/entities/email/locked-note.tsx';
import { PART_TEXTS } from '#web/entities/email/part-texts.ts';
import { DeleteAsset } from '#web/entities/email-asset/delete-asset.tsx';
import { EMAIL_ASSET, nameOf, useEmailAsset } from '#web/entities/email-asset/email-asset.ts';
import { ToggleButton } from '#web/entities/toggle-button.tsx';
import { useEntityChange } from '#web/entities/use-entity-change.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { copyOf } from './asset-copy.ts';
import { sampleEmailWith } from './sample-email-with.ts';

const Content = chakra('div', {
  base: {
    p: '4',
    borderWidth: '1px',
    borderRadius: 'lg',
    bg: 'bg.panel',
    fontSize: 'sm',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
});

/** The page of an asset. */
export function EmailAssetPage() {
  const { emailAsset: id = '' } = useParams();
  const { data } = useEmailAsset(id);
  if (!data) {
    return (
      <Page key="loading" title="Email asset">
        <LockedNote kind="asset" />
        <EmailAndMore email={undefined}>
          <Loading shape={['title', 'line', 'line', 'line', 'line', 'title', 'line', 'line']} />
        </EmailAndMore>
      </Page>
    );
  }
  const { emailAsset: asset, automations } = data;
  return (
    <Page title={nameOf(asset)} actions={<Actions asset={asset} />}>
      <LockedNote kind="asset" />
      <EmailAndMore
        email={{
          content: sampleEmailWith(asset.type, asset.value),
          language: 'en',
          written: { name: 'Asset Content', panel: <Content dir="auto">{asset.value}</Content> },
        }}
      >
        <Details asset={asset} />
        <UsedInAutomations id={id} automations={automations} />
      </EmailAndMore>
    </Page>
  );
}

function Actions({ asset }: { asset: EmailAsset }) {
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button variant="ghost" onClick={() => setDeleting(true)}>
        Delete Asset
      </Button>
      <Button onClick={() => void navigate(paths.newEmailAsset(), { state: copyOf(asset) })}>
        Duplicate
      </Button>
      {deleting && <DeleteAsset asset={asset} leaves onClose={() => setDeleting(false)} />}
    </>
  );
}

function Details({ asset }: { asset: EmailAsset }) {
  return (
    <Section title="Asset Details" actions={<ToggleButton entity={EMAIL_ASSET} item={asset} />}>
      <Facts>
        <Fact name="Type">
          <WithHelpTip word={PARTS[asset.type]}>{PART_TEXTS[asset.type]}</WithHelpTip>
        </Fact>
        <Fact name="Status">
          <ActiveStatus active={asset.is_active} />
        </Fact>
        <Fact name="Created">{formatMoment(asset.created_at)}</Fact>
        <Fact name="Last Updated">{formatMoment(asset.updated_at)}</Fact>
      </Facts>
    </Section>
  );
}

function UsedInAutomations({ id, automations }: { id: string; automations: AutomationOption[] }) {
  const change = useEntityChange(EMAIL_ASSET, id);
  const save = (automation_ids: string[]) =>
    change(EMAIL_ASSET.put, { automation_ids }, ({ automations }) => ({ automations }));

  return (
    <LinkedAutomations
      title="Used in Automations"
      automations={automations}
      route="GET /api/automations-for-assets"
      empty="No automations linked. Click Edit to add some."
      save={save}
      failure="Failed to update automations. Please try again."
    />
  );
}
