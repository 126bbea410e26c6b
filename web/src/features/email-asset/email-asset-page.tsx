import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { AutomationOption } from '../../../../shared/automation-link.ts';
import { PARTS } from '../../../../shared/email/content.ts';
import type { EmailAsset } from '../../../../shared/email-asset.ts';
import { Button, ignoreDoubleClick } from '../../components/button.tsx';
import { Explained } from '../../components/explained.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { ActiveStatus } from '../../components/status.tsx';
import { updateCached } from '../../entities/cache.ts';
import { EmailAndMore } from '../../entities/email/email-preview.tsx';
import { LinkedAutomations } from '../../entities/email/linked-automations.tsx';
import { PART_TEXTS } from '../../entities/email/part-texts.ts';
import { DeleteAsset } from '../../entities/email-asset/delete-asset.tsx';
import { EMAIL_ASSET, nameOf, useEmailAsset } from '../../entities/email-asset/email-asset.ts';
import { useToggle } from '../../entities/use-toggle.ts';
import { useOrganizationChange } from '../../lib/data.ts';
import { formatMoment } from '../../lib/format.ts';
import { useOrganization } from '../../lib/organization.ts';
import { paths } from '../../lib/paths.ts';
import { copyOf } from './asset-copy.ts';
import { ImportantNote } from './important-note.tsx';
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
  const { asset: id = '' } = useParams();
  const { data } = useEmailAsset(id);
  if (!data) {
    return (
      <Page key="loading" title="Email asset">
        <ImportantNote />
        <EmailAndMore email={undefined}>
          <Loading shape={['title', 'line', 'line', 'line', 'line', 'title', 'line', 'line']} />
        </EmailAndMore>
      </Page>
    );
  }
  const { emailAsset: asset, automations } = data;
  return (
    <Page title={nameOf(asset)} actions={<Actions asset={asset} />}>
      <ImportantNote />
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
      {deleting && (
        <DeleteAsset
          asset={asset}
          onDeleted={() => navigate(paths.emailAssets(), { replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

function Details({ asset }: { asset: EmailAsset }) {
  const { toggle, isChanging } = useToggle(EMAIL_ASSET);
  const verb = asset.is_active ? 'Deactivate' : 'Activate';
  return (
    <Section
      title="Asset Details"
      actions={
        <Button
          loading={isChanging(asset.id)}
          loadingText={verb}
          onClickCapture={ignoreDoubleClick}
          onClick={() => void toggle(asset, !asset.is_active)}
        >
          {verb}
        </Button>
      }
    >
      <Facts>
        <Fact name="Type">
          <Explained word={PARTS[asset.type]}>{PART_TEXTS[asset.type]}</Explained>
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
  const change = useOrganizationChange();
  const organization = useOrganization()?.id;

  async function save(automation_ids: string[]) {
    const changed = await change('PUT /api/email-assets/{emailAsset}', {
      params: { emailAsset: id },
      body: { automation_ids },
    });
    await updateCached(EMAIL_ASSET, { organization, id }, { automations: changed.automations });
  }

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
