import type { PersonExportPage } from '#shared/export.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { fileNameOf, saveFile, today } from '#web/lib/save-file.ts';

type Parts = Omit<PersonExportPage, 'next_cursor'>;

const joined = (all: Parts, { next_cursor: _, ...part }: PersonExportPage): Parts => ({
  ...all,
  memberships: [...all.memberships, ...part.memberships],
  former_memberships: [...all.former_memberships, ...part.former_memberships],
  journal: [...all.journal, ...part.journal],
  emails: [...all.emails, ...part.emails],
  clicks: [...all.clicks, ...part.clicks],
});

export function usePersonExport() {
  const call = useOrganizationCall();
  const organization = useOrganization();

  /** A 404 means that nothing is stored, not that the user has lost access. */
  const load = (email: string, cursor?: string) =>
    call('POST /api/recipients/export', {
      body: { email, ...(cursor && { cursor }) },
      isRefusalExpected: true,
    });

  async function save(email: string): Promise<void> {
    let page = await load(email);
    const { next_cursor: _, ...first } = page;
    let all: Parts = first;
    while (page.next_cursor) {
      page = await load(email, page.next_cursor);
      all = joined(all, page);
    }
    const file = { exported_at: new Date().toISOString(), organization: organization?.name, ...all };
    const content = new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' });
    saveFile(`${fileNameOf(all.email)}_${today()}.json`, content);
  }

  return { load, save };
}
