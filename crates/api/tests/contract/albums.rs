//! Albums of an event: made and filled by its photographer, and seen by guests whose photos are in them.

use serde_json::{Value, json};

use crate::downloads::party;
use crate::harness::{World, on_both_engines};

struct Shoot {
    token: String,
    event: Value,
    matches: Vec<String>,
    results: Value,
}

impl Shoot {
    fn path(&self) -> String {
        format!("/api/events/{}/albums", self.event["id"].as_str().unwrap())
    }

    async fn create(&self, world: &World, name: &str) -> String {
        let answer = world.post(&self.path(), &self.token, json!({"name": name})).await;
        assert_eq!(answer.status, 201);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    async fn put(&self, world: &World, album: Option<&str>, mut photos: Value) -> Value {
        photos["event_id"] = self.event["id"].clone();
        photos["album_id"] = json!(album);
        let answer = world.post("/api/photos/album", &self.token, photos).await;
        assert_eq!(answer.status, 200);
        answer.json()["photos"].clone()
    }

    async fn listed(&self, world: &World, album: &str) -> Value {
        let event = self.event["id"].as_str().unwrap();
        let path = format!("/api/photos/search?event_id={event}&album_id={album}");
        world.get(&path, &self.token).await.json()["total_count"].clone()
    }

    /// What a guest finds, and finds again: the albums, and those of the matches.
    async fn found(&self, world: &World) -> (Value, Vec<Value>) {
        let selfie = crate::harness::photo(&[crate::harness::RED], 9);
        let found = world.search(&self.event, &selfie).await.json();
        let again = world.post("/api/face/results", "", json!({"token": self.results})).await.json();
        assert_eq!(found["albums"], again["albums"]);
        // In the order of the first search: after a restoration another is as good.
        let of = |answer: &Value| -> Vec<Value> {
            let photos = answer["matches"].as_array().unwrap();
            let albums = |id: &String| {
                photos.iter().find(|photo| photo["photo_id"] == **id).unwrap()["albums"].clone()
            };
            self.matches.iter().map(albums).collect()
        };
        assert_eq!(of(&found), of(&again));
        (found["albums"].clone(), of(&found))
    }
}

async fn shoot(world: &World) -> Shoot {
    let party = party(world).await;
    let selfie = crate::harness::photo(&[crate::harness::RED], 9);
    let results = world.search(&party.event, &selfie).await.json()["download_token"].clone();
    let matches = party.matches.iter().map(|found| found["photo_id"].as_str().unwrap().to_owned()).collect();
    Shoot { token: party.token, event: party.event, matches, results }
}

#[test]
fn albums_are_made_renamed_and_deleted() {
    // An event has 50 of them at most.
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let (path, token) = (shoot.path(), shoot.token.as_str());
        assert_eq!(world.get(&path, token).await.json(), json!({"albums": []}));
        let ceremony = shoot.create(&world, " Ceremony ").await;
        let reception = shoot.create(&world, "Reception").await;
        let listed = json!([{"id": ceremony, "name": "Ceremony"}, {"id": reception, "name": "Reception"}]);
        assert_eq!(world.get(&path, token).await.json()["albums"], listed);

        // The order is the photographer's.
        let order = json!({"album_ids": [reception, "none", reception]});
        let arranged = world.put(&path, token, order).await.json();
        let listed = json!([{"id": reception, "name": "Reception"}, {"id": ceremony, "name": "Ceremony"}]);
        assert_eq!(arranged["albums"], listed);
        assert_eq!(world.get(&path, token).await.json()["albums"], listed);

        let taken = (409, String::from("This event has an album of this name already"));
        assert_eq!(world.post(&path, token, json!({"name": "Reception"})).await.error(), taken);
        assert_eq!(world.post(&path, token, json!({"name": "RECEPTION"})).await.error(), taken);
        let one = format!("/api/albums/{reception}");
        let rename = async |name: &str| world.patch(&one, token, json!({"name": name})).await;
        assert_eq!(rename("Ceremony").await.error(), taken);
        assert_eq!(rename(" ").await.error(), (400, String::from("Please give the album a name")));
        let long = "Album name must be at most 60 characters long";
        assert_eq!(rename(&"a".repeat(61)).await.error(), (400, long.to_owned()));
        assert_eq!(rename("ceremony").await.error(), taken);
        assert_eq!(rename("reception").await.json()["name"], "reception", "its own name");
        assert_eq!(rename("Dinner").await.json(), json!({"id": reception, "name": "Dinner"}));
        for number in 2..50 {
            shoot.create(&world, &format!("Album {number}")).await;
        }
        let full = world.post(&path, token, json!({"name": "One more"})).await;
        assert_eq!(full.error(), (409, String::from("An event can have at most 50 albums")));

        let ravi = world.photographer("ravi@example.com").await;
        let foreign = world.put(&path, &ravi, json!({"album_ids": [reception]})).await;
        assert_eq!(foreign.error(), (404, String::from("Event not found")));
        let gone = (404, String::from("This album is no longer there"));
        assert_eq!(world.patch(&one, &ravi, json!({"name": "Mine"})).await.error(), gone);
        assert_eq!(world.delete(&one, &ravi).await.error(), gone);
        assert_eq!(world.get(&path, &ravi).await.error(), (404, String::from("Event not found")));
        assert_eq!(world.delete(&one, token).await.status, 200);
        assert_eq!(world.delete(&one, token).await.error(), gone);
    });
}

#[test]
fn a_selection_is_put_into_an_album_which_guests_see_with_their_photos() {
    // [GAL147] [GAL148] [GAL172] [GAL440] [GAL444]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let (ceremony, reception) =
            (shoot.create(&world, "Ceremony").await, shoot.create(&world, "Reception").await);
        assert_eq!(shoot.found(&world).await, (Value::Null, vec![Value::Null; 3]), "nothing of empty albums");

        let chosen = json!({"photo_ids": shoot.matches});
        assert_eq!(shoot.put(&world, Some(&ceremony), chosen.clone()).await, 3);
        let album = json!({"id": ceremony, "name": "Ceremony"});
        assert_eq!(shoot.found(&world).await, (json!([album]), vec![json!([ceremony]); 3]));
        // Beside it, they are in another.
        assert_eq!(shoot.put(&world, Some(&reception), json!({"all": true})).await, 4);
        let both = json!([album, {"id": reception, "name": "Reception"}]);
        let (albums, of) = shoot.found(&world).await;
        assert_eq!(albums, both);
        assert_eq!(of.iter().map(|albums| albums.as_array().unwrap().len()).collect::<Vec<_>>(), [2; 3]);
        assert_eq!(
            (shoot.listed(&world, &ceremony).await, shoot.listed(&world, &reception).await),
            (json!(3), json!(4))
        );
        assert_eq!(shoot.put(&world, None, json!({"photo_ids": [shoot.matches[0]]})).await, 1);
        assert_eq!(shoot.listed(&world, "none").await, 1);
        assert_eq!(shoot.found(&world).await.1[0], Value::Null);

        // A photo has them again after its deletion, unless an album is gone.
        let trash = json!({"event_id": shoot.event["id"], "photo_ids": shoot.matches});
        for (last, count) in [(false, 2), (true, 0)] {
            assert_eq!(world.post("/api/photos/trash", &shoot.token, trash.clone()).await.status, 200);
            if last {
                assert_eq!(world.delete(&format!("/api/albums/{ceremony}"), &shoot.token).await.status, 200);
            }
            assert_eq!(
                world.post("/api/photos/trash/restore", &shoot.token, trash.clone()).await.status,
                200
            );
            assert_eq!(shoot.listed(&world, &ceremony).await, count);
            assert_eq!(shoot.listed(&world, &reception).await, 3);
        }
        let left = json!([{"id": reception, "name": "Reception"}]);
        assert_eq!(
            shoot.found(&world).await,
            (left, vec![Value::Null, json!([reception]), json!([reception])])
        );

        // An album of another event is none of this one's.
        let other = world.event(&shoot.token, "Other").await;
        let path = format!("/api/events/{}/albums", other["id"].as_str().unwrap());
        let elsewhere = world.post(&path, &shoot.token, json!({"name": "Ceremony"})).await.json();
        for take_out in [false, true] {
            let body = json!({"event_id": shoot.event["id"], "all": true, "album_id": elsewhere["id"],
                "take_out": take_out});
            let answer = world.post("/api/photos/album", &shoot.token, body).await;
            assert_eq!(answer.error(), (404, String::from("This album is no longer there")));
        }
        let library = json!({"all": true, "album_id": reception});
        let answer = world.post("/api/photos/album", &shoot.token, library).await;
        assert_eq!(answer.error(), (404, String::from("Event not found")));
    });
}

#[test]
fn what_putting_photos_into_albums_changed_is_answered_and_its_reverse_undoes_it() {
    // [GAL441] [GAL442]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let (ceremony, reception) =
            (shoot.create(&world, "Ceremony").await, shoot.create(&world, "Reception").await);
        let [first, second, third] = [0, 1, 2].map(|at| shoot.matches[at].as_str());
        let change = async |album: Option<&str>, photos: &[&str], take_out: bool| {
            let body = json!({"event_id": shoot.event["id"], "photo_ids": photos, "album_id": album,
                "take_out": take_out});
            let mut answer = world.post("/api/photos/album", &shoot.token, body).await.json();
            for change in answer["changes"].as_array_mut().unwrap() {
                change["photo_ids"].as_array_mut().unwrap().sort_by_key(Value::to_string);
            }
            answer
        };
        let ids = |photos: &[&str]| {
            let mut ids = photos.to_vec();
            ids.sort_unstable();
            json!(ids)
        };
        let placed = async || {
            let event = shoot.event["id"].as_str().unwrap();
            let path = format!("/api/photos/search?event_id={event}");
            let listed = world.get(&path, &shoot.token).await.json();
            listed["photos"]
                .as_array()
                .unwrap()
                .iter()
                .map(|photo| photo["albums"].clone())
                .collect::<Vec<_>>()
        };
        change(Some(&ceremony), &[first], false).await;
        change(Some(&reception), &[first, second], false).await;
        let before = placed().await;

        // One of them was there, which undoing it leaves.
        let put = change(Some(&ceremony), &[first, second, third], false).await;
        let added = ids(&[second, third]);
        assert_eq!(put, json!({"photos": 3, "changes": [{"album_id": ceremony, "photo_ids": added}]}));
        assert_ne!(placed().await, before);
        let undone = change(Some(&ceremony), &[second, third], true).await;
        assert_eq!(undone["changes"], put["changes"]);
        assert_eq!(placed().await, before);

        // Out of one leaves the other; what was not there is not put there.
        let taken = change(Some(&ceremony), &[first, second], true).await;
        assert_eq!(taken["changes"], json!([{"album_id": ceremony, "photo_ids": [first]}]));
        assert_eq!(
            (shoot.listed(&world, &ceremony).await, shoot.listed(&world, &reception).await),
            (json!(0), json!(2))
        );
        change(Some(&ceremony), &[first], false).await;
        assert_eq!(placed().await, before);

        // Out of all.
        let mut taken = change(None, &[first, second, third], false).await["changes"].clone();
        taken.as_array_mut().unwrap().sort_by_key(|change| change["photo_ids"].as_array().unwrap().len());
        let of_both = json!([
            {"album_id": ceremony, "photo_ids": [first]},
            {"album_id": reception, "photo_ids": ids(&[first, second])},
        ]);
        assert_eq!(taken, of_both);
        assert_eq!(shoot.listed(&world, "none").await, 4);
    });
}

/// Makes an album of the event, and puts the photo into it.
pub(super) async fn put_into_new(world: &World, token: &str, event: &Value, name: &str, photo: &Value) {
    let path = format!("/api/events/{}/albums", event["id"].as_str().unwrap());
    let album = world.post(&path, token, json!({"name": name})).await.json();
    let put = json!({"event_id": event["id"], "photo_ids": [photo["id"]], "album_id": album["id"]});
    assert_eq!(world.post("/api/photos/album", token, put).await.json()["photos"], 1);
}
