import { useRef, useState } from 'react';
import type { RecordPage } from '#shared/erasure.ts';
import { api } from '#web/lib/api.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { organizationInput } from '#web/lib/organization.ts';

const RECORD = 'GET /api/organizations/{organization}/record';

/** The record of what was done in the organization, newest first, with as many pages as were requested. */
export function useRecord(organization: number) {
  const pages = useRef(1);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const input = { params: { organization: String(organization) } };
  const fetcher = () => loadRecord(organization, pages.current);
  const { data, error, mutate } = useOrganizationData(RECORD, input, { fetcher });

  async function showMore() {
    pages.current++;
    setLoadingMore(true);
    await mutate();
    setLoadingMore(false);
  }

  return { data, error, retry: mutate, showMore, isLoadingMore };
}

async function loadRecord(organization: number, pages: number): Promise<RecordPage> {
  const input = organizationInput(organization);
  const loaded = await api(RECORD, input);
  for (let page = 1; page < pages && loaded.more; page++) {
    const after = loaded.data.at(-1)?.id ?? '';
    const next = await api(RECORD, { ...input, query: { after } });
    loaded.data.push(...next.data);
    loaded.more = next.more;
  }
  return loaded;
}
