type Group = { minute: string; pack: string; list: string; automation: string };

/** `<minute>#<pack>#<list>.<automation>`: batches sort by due minute. */
export const batchId = ({ minute, pack, list, automation }: Group) =>
  `${minute}#${pack}#${list}.${automation}`;

export function parseBatchId(batch: string): Group {
  const [minute = '', pack = '', group = ''] = batch.split('#');
  const [list = '', automation = ''] = group.split('.');
  return { minute, pack, list, automation };
}

/** The prefix of the ids of all batches of a pack. */
export const batchPrefix = ({ minute, id }: { minute: string; id: string }) => `${minute}#${id}#`;
