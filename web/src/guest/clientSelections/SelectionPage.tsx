import { t } from '@lingui/core/macro';
import { useEffect, useReducer, useState } from 'react';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { useBarTone } from '../../ui/barTone';
import { Icon } from '../../ui/Icon';
import { useDocumentTitle } from '../../ui/useDocumentTitle';
import { Button } from '../Button';
import type { LinkedPage } from '../linkedPage';
import { useAccent } from '../Studio';
import { ViewTitle } from '../ViewTitle';
import { fetchSelection, type Opened, tellLocked } from './calls';
import { ChooseView } from './ChooseView';
import { Column, Waiting } from './Column';
import { type Grid, GridContext } from './grid';
import { PinForm } from './PinForm';
import { saverOf } from './savers';
import styles from './selection.module.css';

/** The page on which a client chooses photos. */
export function SelectionPage({ link: { token: secret }, grid }: { link: LinkedPage; grid: Grid }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [failure, setFailure] = useState<{ text: string; ended: boolean } | null>(null);
  const [attempt, load] = useReducer((count: number) => count + 1, 0);
  useDocumentTitle(t`Choose photos`);
  useBarTone('quiet');
  useAccent(opened?.studio?.accent ?? null);
  useEffect(
    () =>
      tellLocked(() => {
        saverOf(secret).lock();
        setOpened(null);
        load();
      }),
    [secret],
  );
  useEffect(() => {
    const controller = new AbortController();
    const fetch = async () => {
      setFailure(null);
      try {
        const found = await fetchSelection(secret, controller.signal);
        if (!controller.signal.aborted) setOpened(found);
      } catch (error) {
        if (controller.signal.aborted) return;
        const ended = error instanceof ApiError && error.code === 'client_selection_ended';
        setFailure({ text: errorMessage(error, String(error)), ended });
      }
    };
    void fetch();
    return () => controller.abort();
  }, [secret, attempt]);
  const finish = () => {
    // It is done, whether the page can be loaded again or not.
    setOpened((now) =>
      now?.selection == null ? now : { ...now, selection: { ...now.selection, is_done: true } },
    );
    load();
  };
  if (failure !== null && opened?.selection == null)
    return (
      <Column>
        <div className={styles['header']}>
          <ViewTitle component="h1">{t`Choose photos`}</ViewTitle>
          <Alert tone="warning">{failure.text}</Alert>
          {!failure.ended && (
            <Button look="outlined" onClick={load}>
              <Icon name="refresh" />
              {t`Try again`}
            </Button>
          )}
        </div>
      </Column>
    );
  if (opened !== null && opened.selection == null)
    return (
      <Column>
        <div className={styles['pin']}>
          <ViewTitle component="h1">{opened.event_name}</ViewTitle>
          <PinForm
            secret={secret}
            onOpen={() => {
              setOpened(null);
              load();
            }}
          />
        </div>
      </Column>
    );
  if (opened?.selection == null)
    return (
      <Column aria-busy="true">
        <Waiting />
      </Column>
    );
  return (
    <GridContext value={grid}>
      <ChooseView secret={secret} opened={opened} choosing={opened.selection} onDone={finish} />
    </GridContext>
  );
}
